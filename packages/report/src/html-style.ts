export const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --panel: #f4f6f8; --line: #d0d7de;
  --critical: #8f1d2c; --high: #b3401a; --medium: #8a6100; --low: #2c6e49; --info: #3b5b8c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9ea7b3; --paper: #0f1419; --panel: #1a2129;
  --line: #343d48; --critical: #ff8b98; --high: #ffa274; --medium: #e8c25a; --low: #7fd1a0; --info: #9fbef0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 1rem; }
h3 { font-size: 1.05rem; margin: 0 0 .5rem; }
h4 { font-size: .95rem; margin: 1rem 0 .25rem; }
h4 + p, h4 + ul, h4 + pre { margin-top: 0; }
h1, h3, p, dd, td, li { overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.verdict { border-left: .3rem solid var(--info); background: var(--panel); padding: .75rem 1rem; }
.verdict.failed { border-color: var(--critical); }
.verdict.undecided { border-color: var(--medium); }
.verdict.passed { border-color: var(--low); }
.charts { display: flex; flex-wrap: wrap; gap: 2rem; align-items: center; }
svg { max-width: 100%; height: auto; }
svg text { fill: var(--ink); font: 14px system-ui, sans-serif; }
svg .track { fill: var(--panel); stroke: none; }
svg .ring { fill: none; stroke: var(--panel); }
svg .arc { fill: none; stroke: var(--info); }
svg .big { font-size: 34px; font-weight: 600; }
.critical { --tone: var(--critical); } .high { --tone: var(--high); } .medium { --tone: var(--medium); }
.low { --tone: var(--low); } .info { --tone: var(--info); }
svg rect.bar { fill: var(--tone); }
.badge { color: var(--tone); border: 1px solid var(--tone); border-radius: 1rem; padding: .05rem .6rem; font-size: .85rem;
  font-weight: 600; white-space: nowrap; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--soft); padding-bottom: .5rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .6rem .45rem 0; border-bottom: 1px solid var(--line); }
article { border: 1px solid var(--line); border-left: .3rem solid var(--tone); border-radius: .4rem; padding: 1rem 1.25rem;
  margin: 0 0 1.25rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .75rem 0; }
dt { color: var(--soft); } dd { margin: 0; }
.words { white-space: pre-wrap; }
pre { background: var(--panel); padding: .75rem; border-radius: .3rem; white-space: pre-wrap; overflow-wrap: anywhere;
  font: .85rem/1.45 ui-monospace, monospace; }
code { font: .9em ui-monospace, monospace; }
a { color: var(--info); }
@media print { :root { color-scheme: light; --ink: #000; --soft: #444; --paper: #fff; --panel: #f2f2f2; --line: #bbb; --critical: #8f1d2c;
  --high: #b3401a; --medium: #8a6100; --low: #2c6e49; --info: #3b5b8c; }
  body { max-width: none; padding: 0; font-size: 10.5pt; } h2, h3 { break-after: avoid; } tr { break-inside: avoid; }
  * { print-color-adjust: exact; } }
@page { margin: 18mm 15mm; }
`;
