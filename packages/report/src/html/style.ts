import { printStyle } from './print-style.ts';

/** Every pair of text and background has a contrast of at least 4.5 to 1 in both colour schemes. */
const colours = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #515c69; --paper: #ffffff; --panel: #f3f5f8; --line: #d3dae2;
  --brand: #14304f; --accent: #1d5a94; --mark: #ffe08a; --mark-ink: #2a2000;
  --critical: #8f1d2c; --high: #a83a14; --medium: #7d5700; --low: #0b5cad; --info: #4a5568; --none: #515c69;
  --pass: #256041; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #a4aeba; --paper: #0f1419; --panel: #1a2129;
  --line: #343d48; --brand: #cfe1f5; --accent: #8fbdf0; --mark: #6b5200; --mark-ink: #fff3cf;
  --critical: #ff98a4; --high: #ffa980; --medium: #e8c25a; --low: #7cc0ff; --info: #b6c2d1; --none: #a4aeba;
  --pass: #7fd1a0; } }
`;

const screenStyle = `
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 0 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 "Inter", "Helvetica Neue", "Liberation Sans", "Noto Sans", "DejaVu Sans", Arial, sans-serif; }
h1, h2, h3, h4, h5 { line-height: 1.25; color: var(--brand); overflow-wrap: anywhere; text-wrap: balance; }
h1 { font-size: 2.1rem; margin: .25rem 0 1rem; }
h2 { font-size: 1.5rem; margin: 3.5rem 0 1rem; padding-bottom: .4rem; border-bottom: 2px solid var(--brand); }
h3 { font-size: 1.15rem; margin: 2rem 0 .75rem; }
h4 { font-size: 1.08rem; margin: 0 0 .5rem; }
h5 { font-size: .82rem; margin: 1.25rem 0 .3rem; text-transform: uppercase; letter-spacing: .05em; color: var(--soft); }
p, ul, ol { margin: .5rem 0; } h5 + * { margin-top: 0; }
p, dd, td, tbody th, li, figcaption, .label { overflow-wrap: anywhere; }
a { color: var(--accent); }
.soft { color: var(--soft); } .words { white-space: pre-line; } .lead { font-size: 1.05rem; }
.critical { --tone: var(--critical); } .high { --tone: var(--high); } .medium { --tone: var(--medium); }
.low { --tone: var(--low); } .info { --tone: var(--info); } .none { --tone: var(--none); } .pass { --tone: var(--pass); }
.cover { padding: 3rem 0 1rem; border-bottom: 6px solid var(--tone); }
.brand { font-weight: 700; letter-spacing: .22em; text-transform: uppercase; color: var(--brand); margin: 0 0 2.5rem; }
.cover .kind { font-size: 1.15rem; color: var(--soft); margin: 0; }
.risk { display: inline-block; margin: 1rem 0; padding: .9rem 1.4rem; border: 2px solid var(--tone); border-left-width: .9rem;
  background: var(--panel); }
.risk span { display: block; font-size: .85rem; color: var(--soft); } .risk strong { font-size: 1.7rem; color: var(--tone); line-height: 1.2; }
.rating { display: flex; gap: 1.25rem; align-items: center; margin: 1rem 0; } .rating .risk { margin: 0; flex: none; }
.badge { color: var(--tone); border: 1px solid var(--tone); border-radius: 1rem; padding: .05rem .6rem; font-size: .82rem;
  font-weight: 600; white-space: nowrap; background: var(--paper); }
.contents ol { list-style: none; padding: 0; } .contents ol ol { padding-left: 1.5rem; font-size: .85rem; columns: 2; column-gap: 2rem; }
.contents li { margin: .25rem 0; } .contents ol ol li { margin: .15rem 0; break-inside: avoid; } .contents a { text-decoration: none; } .contents .entry { display: flex; gap: .5rem; justify-content: space-between; } .contents .page { flex: none; width: 2rem; text-align: right; } .contents a:hover { text-decoration: underline; }
.verdict { border-left: .35rem solid var(--accent); background: var(--panel); padding: .75rem 1rem; }
.verdict.failed { border-color: var(--critical); } .verdict.undecided { border-color: var(--medium); }
.verdict.passed { border-color: var(--pass); }
.charts > table { width: auto; flex: 1 1 16rem; margin: 0; }
.charts { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; align-items: center; margin: 1rem 0; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--ink); font: 13px "Inter", "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; }
svg .track { fill: var(--panel); } svg .ring { fill: none; stroke: var(--line); } svg .arc { fill: none; stroke: var(--tone); }
svg .big { font-size: 34px; font-weight: 600; } svg .bar { fill: var(--tone); stroke: var(--tone); }
svg .firm { fill-opacity: .62; } svg .tentative { fill-opacity: .3; } svg .key { fill: var(--none); stroke: var(--none); }
svg .tested { fill: var(--pass); } svg .partly { fill: var(--medium); } svg .missing { fill: var(--critical); }
.priorities { counter-reset: priority; list-style: none; padding: 0; }
.priorities > li { counter-increment: priority; position: relative; padding: .6rem 1rem .6rem 3.6rem; margin: .6rem 0;
  background: var(--panel); border-left: .35rem solid var(--tone); }
.priorities > li::before { content: counter(priority); position: absolute; left: 1.2rem; top: .4rem; font-size: 1.6rem;
  font-weight: 700; color: var(--tone); }
.priorities p { margin: .25rem 0; } .priorities .title { font-weight: 600; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; font-size: .93rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--line); font-size: .85rem; color: var(--soft); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody th { font-weight: 600; } tfoot th, tfoot td { border-top: 2px solid var(--line); font-weight: 600; }
.fixed { table-layout: fixed; } .small { font-size: .85rem; } .narrow { width: 6.5rem; } .wide { width: 46%; }
article { border: 1px solid var(--line); border-left: .4rem solid var(--tone); border-radius: .3rem; padding: 1.1rem 1.3rem;
  margin: 0 0 1.5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: .75rem 0; font-size: .95rem; }
dt { color: var(--soft); } dd { margin: 0; }
dl.terms { display: block; } dl.terms dt { color: var(--ink); font-weight: 600; } dl.terms dd { margin-bottom: .5rem; }
figure { margin: .6rem 0 1rem; } figcaption { font-weight: 600; font-size: .92rem; margin-bottom: .25rem; }
pre { background: var(--panel); border: 1px solid var(--line); padding: .6rem .75rem; border-radius: .25rem; margin: .3rem 0;
  white-space: pre-wrap; overflow-wrap: anywhere; font: .8rem/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
code { font: .9em ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
mark { background: var(--mark); color: var(--mark-ink); padding: 0 .1em; border-radius: .15em; }
.label { display: block; font-size: .75rem; color: var(--soft); margin-top: .4rem; }
`;

const phoneStyle = `
@media screen and (max-width: 40rem) { body { padding: 0 .75rem 3rem; } th, td { padding-right: .35rem; }
  .small, .badge { font-size: .76rem; } .badge { padding: 0 .35rem; } article { padding: .8rem .75rem; }
  .contents ol ol { columns: 1; padding-left: .75rem; } .rating { flex-wrap: wrap; }
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
`;

export const style = colours + screenStyle + phoneStyle + printStyle;
