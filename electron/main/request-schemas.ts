import { z } from 'zod';
import type { RequestChannel, Requests } from '../channels.ts';
import { settingsChange } from './settings.ts';

/** What each request must look like. A channel without a schema, or with one of another shape, fails the build. */
export const requestSchemas: { readonly [C in RequestChannel]: z.ZodType<Requests[C]['args']> } = {
  'gatehouse:call': z.tuple([z.string().max(100), z.unknown()]),
  'gatehouse:app-state': z.tuple([]),
  'gatehouse:app-retry': z.tuple([]),
  'gatehouse:app-info': z.tuple([]),
  'gatehouse:settings': z.tuple([]),
  'gatehouse:save-settings': z.tuple([settingsChange]),
  'gatehouse:open-external': z.tuple([z.string().max(4_096)]),
  'gatehouse:show-data-folder': z.tuple([]),
  'gatehouse:copy-text': z.tuple([z.string().max(1_000_000)]),
};
