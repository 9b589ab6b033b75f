export interface Config {
  /** The database to use instead of the embedded one of a data folder. */
  databaseUrl: string | undefined;
  /** The operator's own levels and plans: the same file that the server reads. */
  catalogueFile: string | undefined;
}

/** The one place of this package that reads environment variables. An empty one counts as not set. */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  return {
    databaseUrl: variables.DATABASE_URL || undefined,
    catalogueFile: variables.SORTIE_CATALOGUE || undefined,
  };
}
