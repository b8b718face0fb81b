import type { ProjectRecord } from '../../accounts/records.ts';
import { tarballFileName } from '../../registry/package-name.ts';
import type { TagRow } from '../../registry/package-store.ts';
import type { ListedVersion } from '../../registry/packuments/version-list.ts';
import type { AnswerOf } from '../openapi/schemas.ts';
import { type GitlabCall, may } from './call.ts';
import { timeText } from './present-directory.ts';

/** A version as GitLab's Packages API shows a package. */
export function presentPackage(
  call: GitlabCall,
  row: ListedVersion,
  project: ProjectRecord,
  isOfGroup: boolean,
): AnswerOf<'Package'> {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    package_type: 'npm',
    status: row.deprecated === null ? 'default' : 'deprecated',
    _links: {
      web_path: `/${project.fullPath}/-/packages/${row.id}`,
      ...(may(call, project, 'packages.delete')
        ? { delete_api_path: `${call.origin}/api/v4/projects/${project.id}/packages/${row.id}` }
        : {}),
    },
    created_at: timeText(row.publishedAt),
    last_downloaded_at: row.lastDownloadedAt === null ? null : timeText(row.lastDownloadedAt),
    ...(isOfGroup ? { project_id: project.id, project_path: project.fullPath } : {}),
    tags: tagsOf(row, call.registry.packages.store.tagsOf(row.packageId)),
    pipelines: [],
  };
}

/** Another version of the package that is shown. */
export function presentSibling(row: ListedVersion, tags: readonly TagRow[]): AnswerOf<'OtherVersion'> {
  return {
    id: row.id,
    version: row.version,
    created_at: timeText(row.publishedAt),
    tags: tagsOf(row, tags),
    pipelines: [],
  };
}

/** The one file of a version. */
export function presentFile(row: ListedVersion): AnswerOf<'PackageFile'> {
  return {
    id: row.id,
    package_id: row.id,
    created_at: timeText(row.publishedAt),
    file_name: tarballFileName(row.name, row.version),
    size: row.size,
    file_md5: null,
    file_sha1: row.shasum,
    file_sha256: null,
    pipelines: [],
  };
}

function tagsOf(row: ListedVersion, tags: readonly TagRow[]): AnswerOf<'PackageTag'>[] {
  return tags
    .filter((tag) => tag.versionId === row.id)
    .map((tag) => ({
      id: tag.id,
      package_id: row.id,
      name: tag.tag,
      created_at: timeText(tag.createdAt),
      updated_at: timeText(tag.updatedAt),
    }));
}
