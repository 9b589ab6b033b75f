import { type CheckClass, catalogue, type Depth, type Severity } from './catalogue.ts';
import type { IdOf, Thing } from './ids.ts';

/** The insertion point; `message` is a postMessage of another window, `body` the whole body, `none` no value. */
type PlaceOf =
  | 'query'
  | 'path'
  | 'form'
  | 'json'
  | 'multipart'
  | 'cookie'
  | 'header'
  | 'graphql'
  | 'fragment'
  | 'message'
  | 'body'
  | 'none';

/** Where a flaw is: request, and parameter with its location. */
export interface Place {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'TRACE';
  /** `{id}` is a path parameter. */
  path: string;
  location: PlaceOf;
  /**
   * The parameter's name; in JSON a pointer (`/filter/name`), in GraphQL `field.argument`, in a fragment a name within
   * it.
   */
  parameter: string;
}

/** A planted flaw and its safe twin, which does the same without it. */
export interface Flaw extends Place {
  id: string;
  check: CheckClass;
  title: string;
  cwe: number;
  /** The check that reports it, where flaws of the same CWE share the place. */
  checkId?: string;
  severity: Severity;
  /** The lowest pentest level that tests for it. */
  depth: Depth;
  /** The user who must be signed in. */
  as: 'anyone' | 'customer' | 'admin';
  /** A legitimate value. */
  sample: string;
  /** The kind of thing that the sample is the id of. */
  sampleIs?: Thing;
  /** Further required parameters in the same part of the request; for a path parameter, in a JSON body. */
  others: Readonly<Record<string, string>>;
  /** The path of the safe twin, and its parameter if that differs. */
  safePath: string;
  safeParameter: string;
  /** Provable out of band only, by a listener that the shop may call. */
  needs?: 'listener';
  /**
   * `folder`: it takes several requests below the folder of the path; the twin has the same ones below its own folder.
   * `guard`: other verbs and spellings of the path are part of it.
   */
  spans?: 'folder' | 'guard';
  /** How the flaw differs from one outside of the range. */
  note?: string;
}

type Planted = Pick<Flaw, 'id' | 'check' | 'title' | 'path' | 'safePath'> & Partial<Flaw>;

/**
 * Returns the flaw with the defaults of its class. Requests other than GET may change state, so LEAD does not send
 * them.
 */
export function plant(planted: Planted): Flaw {
  const { cwe, severity, depth } = catalogue[planted.check];
  const { method = 'GET', parameter = '', location = parameter === '' ? 'none' : 'query' } = planted;
  return {
    cwe,
    severity,
    depth: depth === 'LEAD' && method !== 'GET' ? 'STANDARD' : depth,
    as: 'anyone',
    sample: '',
    others: {},
    safeParameter: parameter,
    ...planted,
    method,
    parameter,
    location,
  };
}

/** Returns where the flaw is. */
export const placeOf = ({ method, path, location, parameter }: Flaw): Place => ({ method, path, location, parameter });

/** Returns the same place without the flaw, at which no check may report it. */
export const twinOf = ({ method, safePath, location, safeParameter }: Flaw): Place => ({
  method,
  path: safePath,
  location,
  parameter: safeParameter,
});

/** Returns the flaw with the sample that a shop with these ids uses. */
export const withIds = (flaw: Flaw, idOf: IdOf): Flaw =>
  flaw.sampleIs === undefined ? flaw : { ...flaw, sample: idOf(flaw.sampleIs, flaw.sample) };

/** A page that looks vulnerable but is not. */
export interface Decoy {
  id: string;
  /** The classes of flaws that it resembles. */
  looksLike: CheckClass[];
  method: 'GET' | 'POST';
  path: string;
  parameter: string;
  title: string;
  /** The back room that links it. */
  room?: string;
}

/** A place that a crawler must not touch or must not get lost in. */
export interface Trap {
  id: string;
  /** `forbidden` counts how often it was requested, `harmful` how often a request did what the title says. */
  kind: 'endless' | 'silent' | 'forbidden' | 'harmful';
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  title: string;
  /** For an action behind a GraphQL endpoint: the field that triggers it. */
  field?: string;
}
