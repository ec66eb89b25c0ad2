import { expect, it } from 'vitest';
import type { ReportReply } from './gen/types';
import { replyTo } from './recorded';

const lanes = (request: object): ReportReply => ({ name: 'lanes', request, json: null, arrow: null });
const asked = { capture: 0, runs: [null], t0: 0, t1: 9, px: 800 };

it('finds a reply of another width, over a window with a moment in common', () => {
  const replies = [lanes({ ...asked, t0: 5, t1: 20, px: 2_400 })];
  expect(replyTo('lanes', asked, replies)).toBe(replies[0]);
  expect(replyTo('lanes', { ...asked, t1: 4 }, replies)).toBeUndefined();
  expect(replyTo('lanes', { ...asked, runs: [null, 1] }, replies)).toBeUndefined();
});

it('finds a reply with more lanes than are asked for, and none with fewer', () => {
  const some = [lanes({ ...asked, lanes: [0, 3, 6], hosts: [1] })];
  expect(replyTo('lanes', { ...asked, lanes: [6, 0], hosts: [1] }, some)).toBe(some[0]);
  expect(replyTo('lanes', { ...asked, lanes: [0, 1], hosts: [1] }, some)).toBeUndefined();
  expect(replyTo('lanes', { ...asked, lanes: null, hosts: [1] }, some)).toBeUndefined();
  expect(replyTo('lanes', { ...asked, lanes: [6, 0] }, some), 'hosts are lanes, too').toBeUndefined();
  const all = [lanes(asked)];
  expect(replyTo('lanes', { ...asked, lanes: [2] }, all)).toBe(all[0]);
});
