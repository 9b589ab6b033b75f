import { html, type Routes } from './answer.ts';
import { areas, backRooms } from './answer-key.ts';
import { decoys } from './decoys/decoys.ts';
import { type Flaw, type Place, placeOf, twinOf, withIds } from './flaw.ts';
import { escapeHtml, page } from './page.ts';
import type { Services } from './services.ts';

/** The page of each area: a link or form to each flaw and each safe twin, in a way that does not tell them apart. */

const labelOf = (path: string) => path.replaceAll(/[/{}_-]+/g, ' ').trim();

function formTo({ method, path, location, parameter }: Place, { sample, others }: Flaw): string {
  const isFile = location === 'multipart';
  const fields = Object.entries(others).map(([name, value]) => {
    const type = /password|pin/.test(name) ? 'password' : 'text';
    return `<input name="${escapeHtml(name)}" type="${type}" value="${type === 'text' ? escapeHtml(value) : ''}">`;
  });
  const own = isFile
    ? `<input name="${escapeHtml(parameter)}" type="file">`
    : `<input name="${escapeHtml(parameter)}"${parameter.startsWith('new_password') ? ' type="password"' : ''} value="${escapeHtml(sample)}">`;
  return `<form method="${method.toLowerCase()}" action="${path}"${isFile ? ' enctype="multipart/form-data"' : ''}>
${labelOf(path)} ${own} ${fields.join(' ')} <button>Go</button></form>`;
}

function wayTo(place: Place, flaw: Flaw): string {
  const { location, parameter, path } = place;
  if (location === 'form' || location === 'multipart') return formTo(place, flaw);
  // API endpoints are in the API description, and forgotten files are not linked.
  if (path.startsWith('/api/') || place.method !== 'GET' || flaw.check === 'FILES') return '';
  const sample = encodeURIComponent(flaw.sample);
  const url =
    location === 'query'
      ? `${path}?${new URLSearchParams({ [parameter]: flaw.sample, ...flaw.others })}`
      : path.replace('{id}', sample);
  const fragment = location === 'fragment' ? `#${parameter}=${sample}` : '';
  return `<a href="${escapeHtml(url + fragment)}">${labelOf(path)}</a>`;
}

function aisle(flaws: readonly Flaw[]): string {
  const ways = flaws.flatMap((flaw) => [placeOf(flaw), twinOf(flaw)].map((place) => [place.path, wayTo(place, flaw)]));
  const sorted = ways.filter(([, way]) => way).sort(([one = ''], [other = '']) => one.localeCompare(other));
  return `<ul>${[...new Set(sorted.map(([, way]) => `<li>${way}</li>`))].join('\n')}</ul>`;
}

/** Pages that lead to forms of flaws. */
const sievePages = ['/attic/profile', '/larder/profile', '/pantry/profile'];

function furtherIn(room: string): string {
  const own = decoys.filter((decoy) => decoy.room === room && decoy.method === 'GET');
  const links = [
    ...own.map(({ path, parameter }) => `${path}?${parameter}=tent`),
    ...(room === 'workshop' ? sievePages : []),
  ];
  return links.map((link) => `<p><a href="${link}">${labelOf(link)}</a></p>`).join('');
}

export const aisleLinks = (): string =>
  [...Object.keys(areas), 'corners']
    .map((name) => `<li><a href="/aisle/${name}">Aisle: ${labelOf(name)}</a></li>`)
    .concat('<li><a href="/app/">As an app</a></li>', '<li><a href="/admin">Office</a></li>')
    .concat('<li><a href="/openapi.json">For programs</a></li>')
    .join('\n');

export function aisleRoutes({ idOf }: Pick<Services, 'idOf'>): Routes {
  return Object.fromEntries(
    Object.entries({ ...areas, ...backRooms }).map(([name, flaws]) => [
      `GET /aisle/${name}`,
      (visit) => {
        const content = aisle(flaws.map((flaw) => withIds(flaw, idOf))) + furtherIn(name);
        return html(page(visit, { title: labelOf(name), content }));
      },
    ]),
  );
}
