import type { Severity } from '@sortie/contract';
import { webAddress } from '../address.ts';
import { severityWords } from '../words.ts';
import { html, type Markup } from './markup.ts';

/** A part of the report with an entry in the contents. */
export interface Chapter {
  id: string;
  title: string;
  content: Markup;
  /** Entries of the contents below this chapter. */
  entries?: readonly { id: string; title: string }[];
  /** A short chapter begins on the page on which the one before ends. */
  isShort?: boolean;
}

export const fact = (name: string, value: string | number | Markup | null | undefined): Markup =>
  html`${value !== null && value !== undefined && value !== '' && html`<dt>${name}</dt><dd>${value}</dd>`}`;

export const badge = (severity: Severity): Markup =>
  html`<span class="badge ${severity.toLowerCase()}">${severityWords[severity]}</span>`;

/** References come from our own checks. The URL of a finding is not a link, because it may contain the payload. */
export function link(text: string): Markup {
  const url = webAddress(text);
  return url ? html`<a href="${url.href}" rel="noreferrer noopener">${text}</a>` : html`${text}`;
}

/** Our texts mark names in backticks, as in Markdown. */
export function withCode(text: string): Markup {
  const parts = text.split(/`([^`\n]+)`/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

/** The worst findings have an article each: thousands of them would keep browsers and the PDF printer from finishing. */
export const MOST_ARTICLES = 500;

/** Returns a link to the article of a finding, or the text alone if it has none. */
export const toFinding = (number: number, text: Markup): Markup =>
  number <= MOST_ARTICLES ? html`<a href="#finding-${number}">${text}</a>` : text;

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

const months = 'January February March April May June July August September October November December'.split(' ');

/** Returns for example `18 November 2026, 11:50 UTC`, in UTC so that the report is the same everywhere. */
export function shownTime(timestamp: string | null): string | null {
  const date = timestamp === null ? null : new Date(timestamp);
  if (!date || Number.isNaN(date.getTime())) return timestamp;
  const time = date.toISOString().slice(11, 16);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}, ${time} UTC`;
}

const MINUTE_MS = 60_000;

/** Returns for example `2 hours 5 minutes`, or null if a time is missing. */
export function shownDuration(from: string | null, to: string | null): string | null {
  const ms = from === null || to === null ? Number.NaN : Date.parse(to) - Date.parse(from);
  if (!(ms >= 0)) return null;
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes === 0) return 'less than a minute';
  const hours = Math.floor(minutes / 60);
  return [hours > 0 && plural(hours, 'hour'), minutes % 60 > 0 && plural(minutes % 60, 'minute')]
    .filter((part) => part !== false)
    .join(' ');
}

/** Leaves out the origin of the target, which would fill the column. */
export function pathOf(url: string, target: string): string {
  const origin = webAddress(target)?.origin;
  return origin !== undefined && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}

/** Returns the first items and the number of the rest. */
export function cutList<Item>(items: readonly Item[], most: number): { listed: readonly Item[]; rest: number } {
  return { listed: items.slice(0, most), rest: Math.max(0, items.length - most) };
}
