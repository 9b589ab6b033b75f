import { Command } from 'commander';
import type { McpOptions } from './serve.ts';

const HELP = `
Speaks the Model Context Protocol on stdin and stdout, for programs that use tools. Reads only, unless it is told
otherwise with --allow-start and --max-credits. See docs/mcp.md.`;

/** Has no output flags, because stdout carries the protocol. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description('let an AI assistant read scans and pentests: an MCP server on stdin and stdout')
    .option('--base-url <url>', 'address of the service (default: SORTIE_BASE_URL, sortie.yml, http://127.0.0.1:4800)')
    .option('--api-key-file <file>', 'file that holds the API key (default: SORTIE_API_KEY, "login")')
    .option('--allow-start', 'offer tools that start scans and pentests and cancel pentests')
    .option('--max-credits <number>', 'with --allow-start: what may be started while it runs; 0 allows scans only')
    .option('--credentials-dir <folder>', 'with --allow-start: folder of files with test accounts')
    .option('--debug', 'name every request on stderr, without keys and bodies')
    .addHelpText('after', HELP)
    .action(async (options: McpOptions) => (await import('./serve.ts')).serve(options));
}
