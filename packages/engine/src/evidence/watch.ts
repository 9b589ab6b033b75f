/** Sees when a collector begins and when it ends, and changes nothing. */
export type Watch = <Gathered>(collector: string, gathering: Promise<Gathered>) => Promise<Gathered>;

export const unwatched: Watch = (_collector, gathering) => gathering;
