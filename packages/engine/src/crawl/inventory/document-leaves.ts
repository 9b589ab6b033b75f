import { jsonLeaves } from './json-leaves.ts';
import { isXmlDocument, xmlLeaves } from './xml-leaves.ts';

/** A value in a document. */
interface DocumentLeaf {
  /** Names of what is around it and its own, without positions in lists and prefixes of namespaces. */
  names: string[];
  value: string;
}

/** Returns the values of a text that is a JSON or XML document; none for any other text. */
export function documentLeaves(text: string): DocumentLeaf[] {
  const document = text.trim();
  const leaves = /^[[{]/.test(document) ? jsonLeaves(document) : isXmlDocument(document) ? xmlLeaves(document) : [];
  return leaves.map(({ pointer, value }) => ({ names: namesIn(pointer), value }));
}

const namesIn = (pointer: string) =>
  pointer
    .split('/')
    .filter((name) => !/^\d*$/.test(name))
    .map((name) => name.replace(/^@?(?:[^:]*:)?/, ''));
