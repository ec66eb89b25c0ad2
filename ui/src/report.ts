// The page of a report: the same document as in the app, on the answers that travel with it.
import './tokens.css';
import './app.css';
import './buttons.css';
import './plots.css';
import './report.css';
import { mount } from 'svelte';
import type { ReportView } from './ipc/gen/types';
import { stage } from './state/stage.svelte';
import Page from './ReportPage.svelte';

const target = document.getElementById('report');
const data = document.getElementById('rtoscope-report')?.textContent;
if (!target || !data) throw new Error('This page is a report without its data.');
const staged = await stage(JSON.parse(data) as ReportView);
const { report, captures } = staged.view.session;
document.title = `${report.title.trim() || (captures[0]?.name ?? '')} · RTOscope report`;
mount(Page, { target, props: { staged } });
