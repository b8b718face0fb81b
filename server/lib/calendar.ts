/** Milliseconds of a day. */
export const dayLength = 86_400_000;

/** The day of a moment (milliseconds since 1970) in UTC as YYYY-MM-DD: what expiry dates are compared with. */
export function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Whether `text` is an existing day written as YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && dateOf(time) === text;
}
