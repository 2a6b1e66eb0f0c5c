/**
 * What a gateway of tests is configured with: a free port of this machine, and no limits of requests. Whoever starts one opens
 * its database; without a folder of its own nothing is kept beside that, so that gateways of tests share no file.
 */
import type { Environment } from '../../kernel/contract/services/system.js'

const unlimited = { enabled: false, limit: 1, windowSeconds: 1 }

/** Tests ask far more often than people do. */
export const noRateLimits: Environment['rateLimits'] = {
  api: unlimited,
  web: unlimited,
  critical: unlimited,
  criticalRoute: unlimited,
  criticalSecrets: unlimited,
  login: unlimited,
}

export const defaultEnvironment: Environment = {
  port: 0,
  host: '127.0.0.1',
  dataDir: 'memory://',
  cryptoSecret: 'a secret for tests only',
  trustedProxies: [],
  allowPrivateUpstreams: true,
  maxRequestBodyBytes: 8 * 1024 * 1024,
  streamingTimeoutMs: 30_000,
  relayTimeoutMs: 0,
  nodeName: 'test',
  rateLimits: noRateLimits,
}
