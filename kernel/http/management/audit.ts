/** What the audit log reads of a request: writes that were made, and proofs that were not right. */
import { isObject } from '../../contract/json.js'
import type { Log } from '../../contract/kit.js'
import type { ManagementRequest } from '../../contract/management.js'
import type { RouteManifest } from '../../contract/manifest.js'
import type { Auditor } from '../../contract/services/ports.js'
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
  written(request: ManagementRequest, reply: EnvelopeReply): Promise<void>
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
  return {
    async written(request, { status, audit }) {
      const unknown = request.principal === undefined && audit === undefined
      if ((method === 'GET' && audit === undefined) || unknown || status >= 400) return
      const { requestId, address, principal, params } = request
      const object = audit?.object ?? objectOf(params, request.body)
      const { before: _before, after: _after, ...noted } = audit ?? {}
      const entry = { ...noted, requestId, address, principal, action, object }
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
