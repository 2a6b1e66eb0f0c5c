/** Where a request is looked at. */
import type { RouteLocationRaw } from 'vue-router'

export function requestPlace(requestId: string): RouteLocationRaw {
  return { path: '/logs', query: { request_id: requestId } }
}
