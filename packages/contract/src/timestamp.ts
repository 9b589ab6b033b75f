import { z } from 'zod';

export const Timestamp = z.iso.datetime();
