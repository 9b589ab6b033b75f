import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const COOKIE = 'shop_session';
/** The cookie for pages that partners embed in their own. */
const EMBEDDED = 'shop_embedded';
const MAX_SIGNED_IN = 1_000;

/** The customer's name. */
export type SignedIn = string;

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions have signed ids, and only signed-in ones are stored, so that a crawler cannot exhaust the memory. */
export function createSessions() {
  const secret = randomBytes(32);
  const signedIn = new Map<string, SignedIn>();
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  const isSame = (left: string, right: string) =>
    left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

  function start(): string {
    return randomBytes(16).toString('base64url');
  }

  return {
    start,
    /** Returns the session id, or undefined if the cookie is missing or its signature is invalid. */
    read(cookies: string | undefined): string | undefined {
      const idIn = (name: string) => {
        const [, id = '', signature = ''] =
          cookies?.match(new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)\\.([\\w-]+)`)) ?? [];
        return isSame(sign(id), signature) ? id : undefined;
      };
      return idIn(COOKIE) ?? idIn(EMBEDDED);
    },
    /** Without SameSite on purpose, as a finding for scans. */
    cookie: (id: string) => `${COOKIE}=${id}.${sign(id)}; Path=/; HttpOnly`,
    /** The same session, also sent with cross-site requests. */
    embeddedCookie: (id: string) => `${EMBEDDED}=${id}.${sign(id)}; Path=/; HttpOnly; SameSite=None; Secure`,
    customerOf: (id: string): SignedIn | undefined => signedIn.get(id),
    /** Creates a new id, which prevents session fixation. */
    signIn(customer: SignedIn): string {
      const id = start();
      const [oldest] = signedIn.keys();
      if (signedIn.size >= MAX_SIGNED_IN && oldest !== undefined) signedIn.delete(oldest);
      signedIn.set(id, customer);
      return id;
    },
    signOut: (id: string) => void signedIn.delete(id),
    formToken: (id: string) => sign(`form of ${id}`),
    isFormToken: (id: string, token: string) => isSame(sign(`form of ${id}`), token),
  };
}
