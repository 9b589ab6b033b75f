/** Linked only by the office. The benchmark gives LEAD no account of its staff, because its requests are few. */
export const BACK_ROOMS = ['workshop'] as const;

/** The ways to the rooms, for the office. */
export const backRoomLinks = (): string =>
  BACK_ROOMS.map((name) => `<p><a href="/aisle/${name}">The ${name}</a></p>`).join('');
