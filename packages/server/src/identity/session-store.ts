import type pg from 'pg';

export interface SessionStore {
  end(id: string): Promise<void>;
}

export function createSessionStore(pool: pg.Pool): SessionStore {
  return {
    async end(id) {
      await pool.query('delete from identity.session where id = $1', [id]);
    },
  };
}
