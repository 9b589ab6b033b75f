import type { Depth } from '@sortie/contract';

/** Limits of the crawl for one visitor; the summary reports what lies beyond. */
export interface Bounds {
  /** Share of the run's requests, for all visitors together; the rest is for tests. */
  shareOfRequests: number;
  pages: number;
  /** Number of links from the start page. */
  linkDepth: number;
  /** Pages per template: the next calendar sheet has nothing new. */
  pagesOfAKind: number;
  /** Pages open to everyone that an account visits again. */
  familiarPages: number;
  scripts: number;
  /** Requests for places that nothing links to, for all visitors together. */
  unlinked: number;
  /** Requests found in API descriptions and scripts of the target. */
  described: number;
  /** Pages that are probed for headers and parameter names that they show. */
  headerPages: number;
  /** Forms that are posted once more, to see which headers their responses show. */
  headerForms: number;
  forms: number;
  browserPages: number;
  /** Further pages per structure that are opened as long as their scripts show something else. */
  alikePages: number;
  clicksPerPage: number;
}

export const bounds: Readonly<Record<Depth, Bounds>> = {
  LEAD: {
    shareOfRequests: 0.31,
    pages: 300,
    linkDepth: 10,
    pagesOfAKind: 2,
    familiarPages: 10,
    scripts: 20,
    unlinked: 10,
    described: 150,
    headerPages: 0,
    headerForms: 0,
    forms: 0,
    browserPages: 8,
    alikePages: 0,
    clicksPerPage: 5,
  },
  STANDARD: {
    shareOfRequests: 0.25,
    pages: 1_000,
    linkDepth: 15,
    pagesOfAKind: 4,
    familiarPages: 150,
    scripts: 60,
    unlinked: 150,
    described: 400,
    headerPages: 40,
    headerForms: 120,
    forms: 40,
    browserPages: 60,
    alikePages: 10,
    clicksPerPage: 10,
  },
  DEEP: {
    shareOfRequests: 0.25,
    pages: 2_000,
    linkDepth: 20,
    pagesOfAKind: 5,
    familiarPages: 400,
    scripts: 150,
    unlinked: 250,
    described: 800,
    headerPages: 80,
    headerForms: 150,
    forms: 100,
    browserPages: 75,
    alikePages: 15,
    clicksPerPage: 20,
  },
  EXTENDED: {
    shareOfRequests: 0.25,
    pages: 2_500,
    linkDepth: 25,
    pagesOfAKind: 6,
    familiarPages: 500,
    scripts: 200,
    unlinked: 300,
    described: 1_000,
    headerPages: 100,
    headerForms: 180,
    forms: 150,
    browserPages: 90,
    alikePages: 20,
    clicksPerPage: 25,
  },
  MAXIMUM: {
    shareOfRequests: 0.25,
    pages: 3_000,
    linkDepth: 30,
    pagesOfAKind: 8,
    familiarPages: 600,
    scripts: 250,
    unlinked: 400,
    described: 1_000,
    headerPages: 120,
    headerForms: 200,
    forms: 200,
    browserPages: 120,
    alikePages: 25,
    clicksPerPage: 30,
  },
};
