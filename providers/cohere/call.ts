/** One call to this upstream: a bearer key, and paths of the second version of its API. */
import type { Adapter } from '../../kernel/contract/provider.js'
import { upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { bearerRequest, normalBase } from '../../kernel/toolkit/provider/index.js'

/** People copy the address with its version. */
export function callTo(path: `/v2/${string}`): Adapter['address'] {
  return (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(`${normalBase(baseUrl).replace(/\/v2$/, '')}${path}`, credentials, context)
}

/** It refuses with `{message}`, and the status shows whose fault it is. */
export const fail: Adapter['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head })
