import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Document, isMap, parseDocument } from 'yaml';
import { usageError } from '../terminal/command-error.ts';
import { readSettingName, refuseSecret, type SettingName, type SettingValues } from './setting-names.ts';

export const PROJECT_FILE = 'sortie.yml';

/** The settings of a user or a project. */
export interface SettingsFile {
  name: string;
  values: SettingValues;
}

export interface UserFile extends SettingsFile {
  /** API keys by the base URL they were stored for, so that a project file cannot send a key elsewhere. */
  keys: Readonly<Record<string, string>>;
}

export function userFileName(configHome: string | undefined): string {
  if (configHome === undefined) throw usageError('No folder for the user settings file: set HOME or XDG_CONFIG_HOME');
  return path.join(configHome, 'sortie', 'config.yml');
}

function parse(name: string): Document {
  const document = parseDocument(existsSync(name) ? readFileSync(name, 'utf8') : '');
  const wrong = document.errors[0]?.message.split('\n')[0];
  if (wrong !== undefined) throw usageError(`${name} is not YAML: ${wrong}`);
  if (document.contents !== null && !isMap(document.contents))
    throw usageError(`${name} must be a YAML mapping of names to values`);
  return document;
}

/** `gate: { failOn: high }` becomes `gate.failOn`. */
function flatten(name: string, value: unknown, prefix = ''): [string, string][] {
  return Object.entries(value ?? {}).flatMap(([key, each]: [string, unknown]): [string, string][] => {
    if (typeof each === 'object' && each !== null && prefix === '') return flatten(name, each, `${key}.`);
    if (['string', 'number', 'boolean'].includes(typeof each)) return [[prefix + key, String(each)]];
    throw usageError(`${name}: ${prefix}${key} must be a string or a number`);
  });
}

export function readProjectFile(): SettingsFile {
  const content: unknown = parse(PROJECT_FILE).toJS();
  for (const name of Object.keys(content ?? {})) refuseSecret(PROJECT_FILE, name, '');
  const found = flatten(PROJECT_FILE, content);
  for (const [name, value] of found) refuseSecret(PROJECT_FILE, name, value);
  const values = Object.fromEntries(found.map(([name, value]) => [readSettingName(name), value]));
  return { name: PROJECT_FILE, values };
}

export function readUserFile(configHome: string | undefined): UserFile {
  if (configHome === undefined) return { name: 'user file', values: {}, keys: {} };
  const name = userFileName(configHome);
  const { keys = {}, ...values } = (parse(name).toJS() ?? {}) as Record<string, unknown>;
  if (Object.keys(keys ?? {}).length > 0) requirePrivate(name);
  const found = flatten(name, values).map(([setting, value]) => [readSettingName(setting), value]);
  return {
    name,
    values: Object.fromEntries(found),
    keys: Object.fromEntries(flatten(name, keys, 'keys ').map(unprefix)),
  };
}

const unprefix = ([name, value]: [string, string]): [string, string] => [name.replace(/^keys /, ''), value];

function requirePrivate(name: string): void {
  if ((statSync(name).mode & 0o077) === 0) return;
  throw usageError(`${name} contains API keys and is accessible to other users. Run: chmod 600 ${name}`);
}

type Change = (document: Document) => void;

/** Keeps comments and order. The file is replaced atomically and created with the given mode. */
async function change(name: string, mode: number, edit: Change): Promise<void> {
  const document = parse(name);
  edit(document);
  const isEmpty = !isMap(document.contents) || document.contents.items.length === 0;
  await mkdir(path.dirname(name), { recursive: true, mode: 0o700 });
  const fresh = `${name}.${process.pid}`;
  await writeFile(fresh, isEmpty ? '' : document.toString(), { mode });
  await chmod(fresh, mode);
  await rename(fresh, name);
}

export const changeProjectFile = (name: SettingName, value: string | undefined): Promise<void> =>
  change(PROJECT_FILE, 0o644, (document) => put(document, name.split('.'), value));

export const changeUserFile = (configHome: string | undefined, edits: readonly UserEdit[]): Promise<void> =>
  change(userFileName(configHome), 0o600, (document) => {
    for (const { at, value } of edits) put(document, at, value);
  });

interface UserEdit {
  at: readonly string[];
  /** Undefined removes the setting. */
  value: string | undefined;
}

function put(document: Document, at: readonly string[], value: string | undefined): void {
  if (value === undefined) document.deleteIn(at);
  else document.setIn(at, value);
}
