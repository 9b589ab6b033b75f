export interface Config {
  /** The database to use instead of the embedded one of a data folder. */
  databaseUrl: string | undefined;
  /** The operator's own levels and plans: the same file that the server reads. */
  catalogueFile: string | undefined;
  /** Address ranges that a scan from here may contact although they are not public, separated by commas. */
  allowAddresses: string | undefined;
  /** Whom to tell about scans from here. */
  contact: string | undefined;
  /** Nobody watches: a pipeline, or a terminal that cannot rewrite a line. */
  isUnattended: boolean;
}

/** The one place of this package that reads environment variables. An empty one counts as not set. */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  return {
    databaseUrl: variables.DATABASE_URL || undefined,
    catalogueFile: variables.SORTIE_CATALOGUE || undefined,
    allowAddresses: variables.SORTIE_ALLOW_ADDRESSES || undefined,
    contact: variables.SORTIE_CONTACT || undefined,
    isUnattended: Boolean(variables.CI) || variables.TERM === 'dumb',
  };
}
