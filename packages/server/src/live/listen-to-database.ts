import { liveTopics } from '@sortie/contract';
import pg from 'pg';
import { z } from 'zod';

const Announcement = z.object({
  account: z.string(),
  topic: z.enum(liveTopics),
  subject: z.string().nullable(),
  target: z.string().nullable(),
});
export type Announcement = z.infer<typeof Announcement>;

interface Listener {
  onAnnouncement(announcement: Announcement): void;
  /** The connection broke, so announcements since then may be lost. */
  onLost(error: Error): void;
}

export interface Listening {
  stop(): Promise<void>;
}

/** Listens on a dedicated connection, because a pooled one would lose announcements while it serves other callers. */
export async function listenToDatabase(pool: pg.Pool, { onAnnouncement, onLost }: Listener): Promise<Listening> {
  const { options } = pool;
  // The pool hides the password from copies of its options, so the client reads them from the pool itself.
  const client = new pg.Client({
    ...options,
    password: options.password,
    application_name: 'sortie live',
    keepAlive: true,
  });
  let isOver = false;
  const lose = (error: Error) => {
    if (isOver) return;
    isOver = true;
    client.end().catch(() => undefined);
    onLost(error);
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('the database has closed the connection')));
  client.on('notification', ({ payload = '' }) => {
    const announcement = Announcement.safeParse(parse(payload));
    if (announcement.success) onAnnouncement(announcement.data);
  });
  try {
    await client.connect();
    await client.query('listen sortie_live');
  } catch (error) {
    isOver = true;
    await client.end().catch(() => undefined);
    throw error;
  }
  return {
    async stop() {
      isOver = true;
      await client.end();
    },
  };
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
