import { describe, expect, it } from 'vitest';
import { distinctNames } from './names';

describe('names of files', () => {
  it('are the last part of a path where that is enough', () => {
    expect(distinctNames(['/a/left.pcap', '/a/right.pcap'])).toEqual(['left.pcap', 'right.pcap']);
  });

  it('have the folders that tell them apart', () => {
    expect(distinctNames(['/w/default-1/radio.pcap', '/w/cocoa-1/radio.pcap', '/w/notes.pcap'])).toEqual([
      'default-1/radio.pcap',
      'cocoa-1/radio.pcap',
      'notes.pcap',
    ]);
    expect(distinctNames(['C:\\one\\run\\a.pcap', 'C:\\two\\run\\a.pcap'])).toEqual([
      'one/run/a.pcap',
      'two/run/a.pcap',
    ]);
    expect(distinctNames(['/a.pcap', '/a.pcap'])).toEqual(['a.pcap', 'a.pcap']);
  });
});
