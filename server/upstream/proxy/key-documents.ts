import { z } from 'zod';

const foreignKey = z.looseObject({
  keyid: z.string().max(200),
  keytype: z.string().max(100),
  scheme: z.string().max(100),
  key: z.string().max(4096),
  expires: z.string().max(100).nullable(),
});
/** A key that another registry signs its versions with. */
export type ForeignKey = z.infer<typeof foreignKey>;
const answer = z.object({ keys: z.array(foreignKey).max(100) });
const kept = z.object({ at: z.number(), keys: z.array(foreignKey) });

/** The keys in a registry's answer; undefined if it is something else. */
export function parseKeysAnswer(value: unknown): ForeignKey[] | undefined {
  return answer.safeParse(value).data?.keys;
}

/** The keys that were kept, and when they were asked for; undefined if the text says something else. @throws SyntaxError if it is no JSON. */
export function parseKeptKeys(text: string): z.infer<typeof kept> | undefined {
  return kept.safeParse(JSON.parse(text)).data;
}
