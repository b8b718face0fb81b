/** What request handlers need of the log. */
export interface Log {
  error(facts: Readonly<Record<string, unknown>>, message: string): void;
}
