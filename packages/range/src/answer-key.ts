import { accessFlaws } from './access/flaws.ts';
import { appFlaws } from './app/flaws.ts';
import type { BACK_ROOMS } from './back-rooms.ts';
import { crossingFlaws } from './crossing/flaws.ts';
import { directoryFlaws } from './directory/flaws.ts';
import { fileFlaws } from './files/flaws.ts';
import type { Flaw } from './flaw.ts';
import { frontFlaws } from './front-flaws.ts';
import { gateFlaws } from './gates/flaws.ts';
import { graphqlFlaws } from './graphql/flaws.ts';
import { guildFlaws } from './guild/flaws.ts';
import { leavingFlaws } from './leaving/flaws.ts';
import { nosqlFlaws } from './nosql/flaws.ts';
import { scriptFlaws } from './scripts/flaws.ts';
import { shellFlaws } from './shell/flaws.ts';
import { sieveFlaws } from './sieves/flaws.ts';
import { siteFlaws } from './site-flaws.ts';
import { sqlFlaws } from './sql/flaws.ts';
import { stallFlaws } from './stalls/flaws.ts';
import { templateFlaws } from './template/flaws.ts';
import { tokenFlaws } from './tokens/flaws.ts';
import { wardenFlaws } from './wardens/flaws.ts';
import { xmlFlaws } from './xml/flaws.ts';

/** The flaws of each area, by the name of its page. */
export const areas = {
  databases: sqlFlaws,
  guests: nosqlFlaws,
  people: directoryFlaws,
  tools: shellFlaws,
  cards: templateFlaws,
  wishes: xmlFlaws,
  files: fileFlaws,
  exits: leavingFlaws,
  account: crossingFlaws,
  pages: scriptFlaws,
  tokens: tokenFlaws,
  counter: accessFlaws,
  gates: gateFlaws,
  stalls: stallFlaws,
  graph: graphqlFlaws,
  members: [...guildFlaws, ...wardenFlaws],
  app: appFlaws,
} satisfies Record<string, readonly Flaw[]>;

/** The flaws of each back room. */
export const backRooms = { workshop: sieveFlaws } satisfies Record<(typeof BACK_ROOMS)[number], readonly Flaw[]>;

/** All planted flaws that checks can find. */
export const answerKey: readonly Flaw[] = [
  ...frontFlaws,
  ...Object.values({ ...areas, ...backRooms }).flat(),
  ...siteFlaws,
];
