// Entry of the report's page: the same document as in the app, drawn from the replies in the file; or the document of a
// study.
import './tokens.css';
import './app.css';
import './buttons.css';
import './plots.css';
import './report.css';
import { mount } from 'svelte';
import type { ReportView, StudyView } from './ipc/gen/types';
import { stage } from './state/stage.svelte';
import Page from './ReportPage.svelte';
import StudyPage from './StudyPage.svelte';

const target = document.getElementById('report');
const data = document.getElementById('rtoscope-report')?.textContent;
if (!target || !data) throw new Error('This page is a report without its data.');
const view = JSON.parse(data) as ReportView | StudyView;
if (view.format === 'rtoscope-study') {
  const study = view as StudyView;
  document.title = `${study.title} · RTOscope study`;
  mount(StudyPage, { target, props: { view: study } });
} else {
  const staged = await stage(view as ReportView);
  const { report, captures } = staged.view.session;
  document.title = `${report.title.trim() || (captures[0]?.name ?? '')} · RTOscope report`;
  mount(Page, { target, props: { staged } });
}
