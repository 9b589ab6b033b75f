import type { Depth } from '@sortie/contract';

/** How far one visitor goes at most; what lies beyond is told in the summary. */
export interface Bounds {
  /** Of all requests of the run, for all visitors together; the others are for tests. */
  shareOfRequests: number;
  pages: number;
  /** Links from the first page on. */
  linkDepth: number;
  /** Of one kind of page so many are looked at: the next calendar sheet has nothing new. */
  pagesOfAKind: number;
  /** Of the pages that everybody sees, an account looks at so many again. */
  familiarPages: number;
  scripts: number;
  /** Requests that descriptions and scripts of the target name. */
  described: number;
  forms: number;
  browserPages: number;
  clicksPerPage: number;
}

export const bounds: Readonly<Record<Depth, Bounds>> = {
  LEAD: {
    shareOfRequests: 0.3,
    pages: 300,
    linkDepth: 10,
    pagesOfAKind: 2,
    familiarPages: 10,
    scripts: 20,
    described: 150,
    forms: 0,
    browserPages: 8,
    clicksPerPage: 5,
  },
  STANDARD: {
    shareOfRequests: 0.25,
    pages: 1_000,
    linkDepth: 15,
    pagesOfAKind: 4,
    familiarPages: 150,
    scripts: 60,
    described: 400,
    forms: 40,
    browserPages: 40,
    clicksPerPage: 10,
  },
  DEEP: {
    shareOfRequests: 0.25,
    pages: 2_000,
    linkDepth: 20,
    pagesOfAKind: 5,
    familiarPages: 400,
    scripts: 150,
    described: 800,
    forms: 100,
    browserPages: 50,
    clicksPerPage: 20,
  },
  EXTENDED: {
    shareOfRequests: 0.25,
    pages: 2_500,
    linkDepth: 25,
    pagesOfAKind: 6,
    familiarPages: 500,
    scripts: 200,
    described: 1_000,
    forms: 150,
    browserPages: 60,
    clicksPerPage: 25,
  },
  MAXIMUM: {
    shareOfRequests: 0.25,
    pages: 3_000,
    linkDepth: 30,
    pagesOfAKind: 8,
    familiarPages: 600,
    scripts: 250,
    described: 1_000,
    forms: 200,
    browserPages: 80,
    clicksPerPage: 30,
  },
};
