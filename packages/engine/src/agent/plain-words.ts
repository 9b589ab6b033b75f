import { fence } from './fence.ts';

const LINK = /\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s"'<>]*|\b(?:javascript|data|mailto|tel):[^\s"'<>]*/gi;
const MARKUP = /[<>[\]`{}|\\]|\*{2,}|_{2,}|!\(|^#+\s/gm;

/**
 * Returns what a model has written as plain words for people: without links, markup and characters that no reader sees.
 * What it wrote may be what a target has told it.
 */
export function plainWords(text: string, most: number): string {
  const { text: visible } = fence(text, most * 2);
  const plain = visible.replaceAll(LINK, '(link)').replaceAll(MARKUP, ' ').replaceAll(/\s+/g, ' ').trim();
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}
