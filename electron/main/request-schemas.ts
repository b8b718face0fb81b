import { z } from 'zod';
import type { RequestChannel, Requests } from '../channels.ts';
import { settingsChange } from './settings.ts';

const fileRequest = z.strictObject({
  title: z.string().min(1).max(100),
  // A name, not a way into some folder.
  suggestedName: z
    .string()
    .max(120)
    .regex(/^[^/\\\0]+$/)
    .optional(),
  extensions: z
    .array(z.string().regex(/^[a-z0-9]{1,16}$/))
    .max(8)
    .optional(),
});

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
  'gatehouse:move-data-folder': z.tuple([]),
  'gatehouse:open-data-folder': z.tuple([]),
  'gatehouse:stop-move': z.tuple([]),
  'gatehouse:remove-former-data-folder': z.tuple([]),
  'gatehouse:log': z.tuple([]),
  'gatehouse:copy-text': z.tuple([z.string().max(1_000_000)]),
  'gatehouse:choose-folder': z.tuple([fileRequest]),
  'gatehouse:choose-file': z.tuple([fileRequest]),
  'gatehouse:choose-new-file': z.tuple([fileRequest]),
  'gatehouse:save-text': z.tuple([fileRequest, z.string().max(16_000_000)]),
  'gatehouse:updates': z.tuple([]),
  'gatehouse:check-updates': z.tuple([]),
  'gatehouse:download-update': z.tuple([]),
  'gatehouse:cancel-update': z.tuple([]),
};
