import type { InventoryItem } from './crawl/inventory.ts';
import type { PentestFinding } from './finding.ts';
import type { Redactor } from './http/redactor.ts';
import type { PentestState, Trace } from './pentest-state.ts';

type Mask = Redactor['redact'];

/** Only what a target may have put there: our own words stay as they are, whatever somebody has for a password. */
export function maskFinding(finding: PentestFinding, mask: Mask): PentestFinding {
  const { description, affectedUrl, parameter } = finding;
  return {
    ...finding,
    description: description && mask(description),
    affectedUrl: affectedUrl && maskUrl(affectedUrl, mask),
    parameter: parameter && mask(parameter),
  };
}

export function maskState(state: PentestState, mask: Mask): PentestState {
  return {
    ...state,
    seeds: state.seeds.map((seed) => ({ ...seed, url: maskUrl(seed.url, mask) })),
    scripted: state.scripted.map((page) => ({ ...page, url: maskUrl(page.url, mask) })),
    harvest: state.harvest.filter(({ value }) => mask(value) === value),
    refused: state.refused.filter(({ url }) => isMaskless(url, mask)),
    ours: state.ours.filter((url) => isMaskless(url, mask)),
    traces: maskTraces(state.traces, mask),
    notes: state.notes.map(mask),
    untested: state.untested.map((each) => ({ ...each, reason: mask(each.reason) })),
  };
}

/** What needs a secret to be taken back is taken back by this process or not at all. */
function maskTraces(traces: readonly Trace[], mask: Mask): Trace[] {
  const isPlain = (undo: Trace['undo']) => mask(JSON.stringify(undo)) === JSON.stringify(undo);
  return traces.map((trace) => ({ ...trace, place: mask(trace.place), undo: isPlain(trace.undo) ? trace.undo : [] }));
}

/**
 * Done once, as it is made: what is planned from it must be the same in every attempt. A request with a secret in its path
 * cannot be repeated without it.
 */
export function maskInventory(inventory: readonly InventoryItem[], mask: Mask): InventoryItem[] {
  return inventory
    .filter(({ url }) => mask(new URL(url).pathname) === new URL(url).pathname)
    .map((item) => ({
      ...item,
      url: maskUrl(item.url, mask),
      parameters: item.parameters.map((each) => ({ ...each, name: mask(each.name), value: mask(each.value) })),
      contentType: mask(item.contentType),
      ...(item.body && { body: { ...item.body, text: mask(item.body.text) } }),
      ...(item.sightings && { sightings: item.sightings.map((each) => maskSighting(each, mask)) }),
    }));
}

type Sighting = NonNullable<InventoryItem['sightings']>[number];

function maskSighting({ body, ...sighting }: Sighting, mask: Mask): Sighting {
  return { ...sighting, url: maskUrl(sighting.url, mask), ...(body !== undefined && { body: mask(body) }) };
}

/** Whether nothing in it is a secret. */
export const isMaskless = (url: string, mask: Mask) => maskUrl(url, mask) === url;

/** The origin is what was verified, and is no secret; without it the URL would be none. */
function maskUrl(url: string, mask: Mask): string {
  const { origin, pathname, search, hash } = new URL(url);
  if (url.startsWith(origin)) return origin + rooted(mask(url.slice(origin.length)));
  return mask(url) === url ? url : origin + rooted(mask(pathname + search + hash));
}

/** A cookie may hold a whole path: what is put in its place must not run into the host. */
const rooted = (rest: string) => (/^(?:$|[/?#])/.test(rest) ? rest : `/${rest}`);
