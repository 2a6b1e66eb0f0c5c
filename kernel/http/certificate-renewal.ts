/**
 * Follows the files of the certificate: a new pair is taken over for connections to come, a wrong or half-written one is
 * not, and the old goes on. Warns before the one in use runs out. The system reports what changes in a folder; since a
 * network folder reports nothing, the files are also read every hour.
 */
import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock, Log } from '../contract/kit.js'
import type { TlsFiles } from '../contract/services/system.js'
import { type Certificate, readCertificate } from './certificate.js'
import { httpLimits } from './limits.js'

export interface RenewalDependencies {
  readonly files: TlsFiles
  /** In use at the beginning. */
  readonly certificate: Certificate
  readonly clock: Clock
  readonly log: Log
  take(certificate: Certificate): void
}

/** Follows until the function it returns is called. */
export function followCertificate(dependencies: RenewalDependencies): () => void {
  const { files, clock, log } = dependencies
  let { certificate } = dependencies
  let fault = ''
  let warnedAt = Number.NEGATIVE_INFINITY
  let settling: (() => void) | undefined
  let cancelLook = clock.after(httpLimits.certificateLookMs, lookAgain)

  function look(): void {
    try {
      const found = readCertificate(files)
      fault = ''
      if (found.cert.equals(certificate.cert) && found.key.equals(certificate.key)) return
      dependencies.take(found)
      certificate = found
      warnedAt = Number.NEGATIVE_INFINITY
      log.info({ validTo: dateOf(found) }, 'the certificate was renewed')
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'The certificate cannot be used.'
      if (reason !== fault)
        log.error({ reason }, 'the certificate was not renewed; the old one stays')
      fault = reason
    }
  }

  function warn(): void {
    const now = clock.now()
    if (now - warnedAt < httpLimits.certificateWarnEveryMs) return
    const { validFrom, validTo } = certificate
    // Some are good for a few days only, and are renewed after two thirds of them.
    if (validTo - now > Math.min(httpLimits.certificateWarnMs, (validTo - validFrom) / 3)) return
    warnedAt = now
    const given = validTo > now ? 'runs out soon' : 'has run out: clients refuse it'
    log.warn({ validTo: dateOf(certificate) }, `the certificate ${given}`)
  }

  function lookAgain(): void {
    look()
    warn()
    cancelLook = clock.after(httpLimits.certificateLookMs, lookAgain)
  }

  function changed(): void {
    settling ??= clock.after(httpLimits.certificateChangeMs, () => {
      settling = undefined
      look()
    })
  }

  warn()
  const folders = new Set([files.certFile, files.keyFile].map((file) => dirname(file)))
  const watchers = [...folders].flatMap((folder) => watched(folder, changed))
  return () => {
    cancelLook()
    settling?.()
    for (const watcher of watchers) watcher.close()
  }
}

/** The folder and not the file: renewing replaces the file, or where a link leads. */
function watched(folder: string, changed: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, changed)
    watcher.on('error', () => watcher.close())
    return [watcher]
  } catch {
    return []
  }
}

function dateOf({ validTo }: Certificate): string {
  return new Date(validTo).toISOString()
}
