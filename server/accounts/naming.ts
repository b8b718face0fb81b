import { namespacePath, projectPath } from '../contract/constants.ts';
import { GatehouseError } from '../contract/errors.ts';
import { printable } from '../contract/printable.ts';

/** Complaints by field; empty lists don't count. */
export type Complaints = Record<string, string[]>;

/** The error for invalid input, with GitLab's complaints by field. */
export function invalidFields(fields: Complaints, code: 'invalid_request' | 'conflict' = 'invalid_request') {
  const sentences = Object.entries(fields).flatMap(([field, complaints]) =>
    complaints.map((complaint) => `${sentenceCase(field)} ${complaint}`),
  );
  return new GatehouseError(code, `${sentences.join('. ')}.`, { fields, messages: sentences });
}

/** @throws GatehouseError `invalid_request` if there are complaints. */
export function refuseComplaints(fields: Complaints): void {
  const present = Object.fromEntries(Object.entries(fields).filter(([, complaints]) => complaints.length > 0));
  if (Object.keys(present).length > 0) throw invalidFields(present);
}

/** @throws GatehouseError `unprocessable` with every complaint, which are whole sentences, if there are any. */
export function refuseUnprocessable(complaints: readonly string[]): void {
  if (complaints.length > 0) {
    throw new GatehouseError('unprocessable', `${complaints.join('. ')}.`, { messages: complaints });
  }
}

/** A scope or a package name in the form in which two of them are compared: letter case and Unicode forms make no difference. */
export function comparableName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** GitLab's complaints about the path of a group or the name of a user. */
export function namespacePathComplaints(path: string): string[] {
  if (path === '') return ["can't be blank"];
  if (path.length > 255) return ['is too long (maximum is 255 characters)'];
  if (!namespacePath.letters.test(path) || namespacePath.refusedEnd.test(path)) {
    return [
      "can contain only letters, digits, '_', '-' and '.'. It must not start with '-' or end in '.', '.git' or '.atom'",
    ];
  }
  return [];
}

/** GitLab's complaints about the path of a project. */
export function projectPathComplaints(path: string): string[] {
  if (path === '') return ["can't be blank"];
  if (path.length > 255) return ['is too long (maximum is 255 characters)'];
  if (!projectPath.letters.test(path) || projectPath.refusedEnd.test(path)) {
    return [
      "can contain only letters, digits, '_', '-' and '.'. It must not start with '-', '_', or '.', nor end with '-', '_', '.', '.git', or '.atom'",
    ];
  }
  return [];
}

/** Complaints about a display name. */
export function displayNameComplaints(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  if (name.length > 255) return ['is too long (maximum is 255 characters)'];
  // Those that change the direction of text or have no width too: names stand beside those of others.
  return printable(name) === name ? [] : ['contains control characters'];
}

/** Characters of the description of a group or project, as in GitLab. All descriptions are in memory, and in every list. */
const longestDescription = 2000;

/** Complaints about the description of a group, project or environment. */
export function descriptionComplaints(description: string): string[] {
  return description.length > longestDescription ? [`is too long (maximum is ${longestDescription} characters)`] : [];
}

/** Complaints about an e-mail address; only its shape matters, since nothing is ever sent. */
export function emailComplaints(email: string): string[] {
  if (email === '') return ["can't be blank"];
  return email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email) && printable(email) === email ? [] : ['is invalid'];
}

/**
 * The address that stands for a user wherever npm's documents need one: theirs is only for themselves and administrators, as GitLab
 * keeps addresses private. Nothing is ever sent to it.
 */
export function noReplyAddress(username: string): string {
  return `${username}@users.noreply.gatehouse.local`;
}

/** A path derived from a name, as in GitLab. */
export function pathFromName(name: string): string {
  // The lookbehind keeps this linear on long runs of such characters.
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[-_.]+|(?<![-_.])[-_.]+$/g, '');
}

function sentenceCase(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
