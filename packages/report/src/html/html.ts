import { createHash } from 'node:crypto';
import { type Prepared, prepare } from '../prepare.ts';
import type { Report } from '../report.ts';
import { TOOL } from '../words.ts';
import { appendixOf } from './appendix.ts';
import { coverOf } from './cover.ts';
import { coverageOf } from './coverage.ts';
import { earlierFindingsOf } from './earlier-findings.ts';
import { executiveSummary } from './executive-summary.ts';
import { findingsOf } from './findings.ts';
import { asMarkup, html, type Markup } from './markup.ts';
import { type Chapter, withCode } from './parts.ts';
import { accountsOf, scopeOf } from './scope.ts';
import { scoreOf } from './score.ts';
import { style } from './style.ts';
import { changesOf } from './target-changes.ts';

/**
 * The Content-Security-Policy allows this style sheet only, so that injected markup of a finding cannot load or run
 * anything.
 */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function chaptersOf(report: Prepared): Chapter[] {
  const chapters =
    report.kind === 'scan'
      ? [executiveSummary(report), scoreOf(report), findingsOf(report), appendixOf(report)]
      : [
          executiveSummary(report),
          scopeOf(report),
          accountsOf(report),
          coverageOf(report),
          findingsOf(report),
          earlierFindingsOf(report),
          changesOf(report),
          appendixOf(report),
        ];
  return chapters.filter((chapter) => chapter !== undefined);
}

/** The page is filled in when the report is printed as PDF. */
const link = (id: string, text: Markup) =>
  html`<div class="entry"><a href="#${id}">${text}</a><span class="page" data-page-of="${id}"></span></div>`;

function contents(chapters: readonly Chapter[]): Markup {
  const entry = ({ id, title, entries = [] }: Chapter, index: number) =>
    html`<li>${link(id, html`${index + 1}. ${title}`)}${
      entries.length > 0 &&
      html`<ol>${entries.map((each) => html`<li>${link(each.id, withCode(each.title))}</li>`)}</ol>`
    }</li>`;
  return html`<nav class="contents" aria-label="Contents"><h2>Contents</h2><ol>${chapters.map(entry)}</ol></nav>`;
}

const section = ({ id, title, content, isShort }: Chapter, index: number) =>
  html`<section class="chapter${isShort && ' follows'}" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${index + 1}. ${title}</h2>
${content}</section>
`;

/** Returns the report as one HTML file without scripts and requests. */
export function renderHtml(given: Report): string {
  const report = prepare(given);
  const chapters = chaptersOf(report);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${TOOL} ${report.kind} of ${report.target}</title><style>${asMarkup(style)}</style></head>
<body class="${report.kind}">${coverOf(report)}${report.kind === 'pentest' && contents(chapters)}
<main>${chapters.map(section)}</main></body></html>
`.markup;
}
