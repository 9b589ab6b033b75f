/** Linked only by the response to a form: LEAD does not find them, because it sends none. */
export const BACK_ROOMS = ['workshop'] as const;

/** The ways to the rooms, for the response to that form. */
export const backRoomLinks = (): string =>
  BACK_ROOMS.map((name) => `<p><a href="/aisle/${name}">The ${name}</a></p>`).join('');
