/**
 * Whose fault an error of this service is, by its code, where its status misleads. Every other code is judged by its status: 413 and 415
 * are about the client's file, 401, 403 and 429 about the channel, `invalid_param` is the client's.
 */
import type { Failure } from '../../kernel/contract/failure.js'

interface KnownCodes {
  readonly codes: Readonly<Record<string, Failure['blame']>>
  readonly source: string
  readonly read: string
}

const read = '2026-11-27'

const known: readonly KnownCodes[] = [
  {
    // What the maker of the app has to set right: models without credentials or quota, or that are gone.
    codes: {
      provider_not_initialize: 'channel',
      provider_quota_exceeded: 'channel',
      model_currently_not_support: 'channel',
      completion_request_error: 'upstream',
    },
    source: 'docs.dify.ai/en/api-reference/guides/errors',
    read,
  },
  {
    // The channel calls an app of another kind than it is.
    codes: { not_chat_app: 'channel', not_completion_app: 'channel', not_workflow_app: 'channel' },
    source: 'github.com/langgenius/dify, api/controllers/service_api/app/error.py',
    read,
  },
  {
    codes: { app_unavailable: 'channel', workflow_request_error: 'upstream' },
    source:
      'github.com/langgenius/dify, web/app/components/develop/template/template_workflow.en.mdx',
    read,
  },
  {
    // A 503 of an upload. The other two of its store, s3_connection_failed and s3_permission_denied, are the upstream's by their status.
    codes: { s3_file_too_large: 'client' },
    source: 'github.com/langgenius/dify, web/app/components/develop/template/template.en.mdx',
    read,
  },
]

export const blames: ReadonlyMap<string, Failure['blame']> = new Map(
  known.flatMap(({ codes }) => Object.entries(codes)),
)
