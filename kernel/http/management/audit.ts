/** What the audit log reads of a request: writes that were made, and proofs that were not right. */
import { isObject } from '../../contract/json.js'
import type { Log } from '../../contract/kit.js'
import type { ManagementRequest } from '../../contract/management.js'
import type { RouteManifest } from '../../contract/manifest.js'
import type { Auditor, NamedObject } from '../../contract/services/ports.js'
import { Refusal, type RefusalCode } from '../../toolkit/errors/refusal.js'
import type { EnvelopeReply } from '../../toolkit/management/envelope.js'
import { httpLimits } from '../limits.js'

export interface AuditDependencies {
  readonly auditor: Auditor
  readonly log: Log
}

/** Of one route. */
export interface RouteAudit {
  /**
   * The write has happened by now and its answer stands: who got an error would do it again. What cannot be written to the
   * audit log is written to the process log instead, whole.
   */
  written(request: ManagementRequest, reply: EnvelopeReply, before?: NamedObject): Promise<void>
  /** What a removal is about to remove, while it still has a name. */
  before(request: ManagementRequest): Promise<NamedObject | undefined>
  /** A password, code or passkey that was not right. Names are recorded only where an account has them: else they may be a password. */
  refused(request: ManagementRequest | undefined, error: unknown): void
}

/** `name`: that of the route, with its plugin. */
export function routeAudit(
  name: string,
  { method }: Pick<RouteManifest, 'method'>,
  { auditor, log }: AuditDependencies,
): RouteAudit {
  const action = name.replace(/^management\./, '')

  /** Without a name the row is recorded all the same. */
  async function named(object: string | undefined): Promise<NamedObject | undefined> {
    if (object === undefined || auditor.named === undefined) return undefined
    return auditor.named(action, object).catch((err) => {
      log.error({ err, object }, 'an object of the audit log could not be named')
      return undefined
    })
  }

  return {
    async before({ params, body }) {
      return method === 'DELETE' ? named(objectOf(params, body)) : undefined
    },
    async written(request, { status, audit }, before) {
      if (audit?.onlyRead) return
      const unknown = request.principal === undefined && audit === undefined
      if ((method === 'GET' && audit === undefined) || unknown || status >= 400) return
      const { requestId, address, principal, params } = request
      const stated = audit?.object ?? objectOf(params, request.body)
      const now = await named(stated)
      const object = now?.object ?? stated
      const objectName = now?.name ?? (before?.object === object ? before?.name : undefined)
      const { before: _before, after: _after, ...rest } = audit ?? {}
      const entry = { ...rest, requestId, address, principal, action, object, objectName }
      await auditor
        .record({ ...audit, ...entry })
        .catch((err) =>
          log.error({ err, audit: entry }, 'a write could not be recorded in the audit log'),
        )
    },
    refused(request, error) {
      if (request === undefined || !(error instanceof Refusal)) return
      if (!failedProofs.has(error.code)) return
      const { requestId, address, principal } = request
      const caller = principal === undefined ? 'no account' : `user ${principal.userId}`
      auditor.refused({
        requestId,
        address,
        principal,
        action: `${action}.failed`,
        object: error.about ?? caller,
        detail: error.code,
      })
    },
  }
}

/** What a write changed, where its handler does not state it: the address names it, or the body. */
function objectOf(params: Readonly<Record<string, string>>, body: unknown): string | undefined {
  const [param] = Object.entries(params)
  if (param !== undefined) return param.join(' ')
  if (!isObject(body)) return undefined
  // Never "key": in a body that is a secret more often than a name.
  const name = objectNames.find((one) => ['number', 'string'].includes(typeof body[one]))
  return name === undefined
    ? undefined
    : `${name} ${String(body[name]).slice(0, httpLimits.objectCharactersMax)}`
}

const failedProofs: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'invalid_credentials',
  'account_disabled',
  'verification_failed',
  'factor_locked',
  'mail_code_invalid',
])

const objectNames = ['id', 'name', 'username', 'tag'] as const
