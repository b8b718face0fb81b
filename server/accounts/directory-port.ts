import type { EffectiveLevel } from '../contract/levels.ts';
import type { Group, Principal, Project } from './access/principal.ts';

/**
 * What the other areas ask of the directory. Answers are read from memory where they can be: these calls stand on the path of
 * every request.
 */
export interface DirectoryReader {
  /** Grows with every change of users, groups, projects, members, shares or tokens; whoever caches an answer compares it. */
  readonly generation: number;

  /**
   * Whose token this is.
   * @throws GatehouseError `unauthenticated` (unknown), `token_expired`, `token_revoked` or `account_blocked`.
   */
  authenticate(token: string): Principal;

  /** A project by numeric id or by full path (letters of either case); undefined if there is none. */
  findProject(reference: string | number): Project | undefined;
  /** A group by numeric id or by full path; undefined if there is none. */
  findGroup(reference: string | number): Group | undefined;
  /** Projects of a group, and of its subgroups if asked. */
  projectsOfGroup(groupId: number, options: { subgroups: boolean }): Project[];
  allProjects(): Project[];
  /** The id of the topmost namespace above a project, as packages of one name and version may exist only once below it. */
  rootNamespaceOf(projectId: number): number;

  /** Effective access of a user in a project: direct, inherited and through shares, without expired ones; 0 for none. */
  projectLevel(userId: number, projectId: number): EffectiveLevel;
  /** Effective access of a user in a group; 0 for none. */
  groupLevel(userId: number, groupId: number): EffectiveLevel;
}
