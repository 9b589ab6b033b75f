import { z } from 'zod';
import { nextOffset, PAGE, pageInput, summary, targetShape } from './shapes.ts';
import { defineTool, reading } from './tool.ts';

const list = defineTool({
  name: 'sortie_target_list',
  title: 'Targets',
  description: `The verified targets of the account and their verification ids, oldest first, ${PAGE} at a time.`,
  annotations: reading(false),
  doing: 'The targets could not be read',
  input: z.strictObject(pageInput),
  output: z.object({ summary, nextOffset, targets: z.array(targetShape) }),
  async run({ offset }, { client, calls }) {
    const { data } = await client.targets.list({ offset, limit: PAGE }, calls);
    const more = data.nextOffset === null ? '' : ', and there are more';
    return { ...data, summary: `${data.targets.length} targets${more}` };
  },
});

export const targetTools = [list];
