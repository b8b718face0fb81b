import { z } from 'zod';
import { id, moment } from './answer-parts.ts';

const PackageTag = z.object({ id, package_id: id, name: z.string(), created_at: moment, updated_at: moment });
const pipelines = z.array(z.never());

const Package = z.object({
  id: id.meta({ description: 'Of the version.' }),
  name: z.string(),
  version: z.string(),
  package_type: z.literal('npm'),
  status: z.enum(['default', 'deprecated']),
  _links: z.object({
    web_path: z.string(),
    delete_api_path: z.string().optional().meta({ description: 'For callers who can delete it.' }),
  }),
  created_at: moment,
  last_downloaded_at: moment.nullable(),
  project_id: id.optional().meta({ description: 'In the list of a group.' }),
  project_path: z.string().optional().meta({ description: 'In the list of a group.' }),
  tags: z.array(PackageTag),
  pipelines,
});
const OtherVersion = z.object({
  id,
  version: z.string(),
  created_at: moment,
  tags: z.array(PackageTag),
  pipelines,
});

/** Answers of GitLab's generic packages API. */
export const packageAnswers = {
  PackageTag,
  Package,
  OtherVersion,
  PackageDetail: Package.extend({ versions: z.array(OtherVersion) }),
  PackageFile: z.object({
    id,
    package_id: id,
    created_at: moment,
    file_name: z.string(),
    size: z.int(),
    file_md5: z.null(),
    file_sha1: z.string(),
    file_sha256: z.null(),
    pipelines,
  }),
  Pipeline: z.object({}),
};
