/**
 * Routes of a plugin from outside: each call has a limit, and what it throws is a fault that states whose it is. A refusal
 * passes as it is.
 */
import type { Endpoint, EndpointRoute } from '../contract/endpoint.js'
import type { Management } from '../contract/management.js'
import type { Health } from './health.js'
import { containedLater, timeLimits } from './verb.js'

export function containedManagement(management: Management, health: Health): Management {
  const routes = Object.entries(management.routes).map(([name, route]) => {
    const handle = limited(health, `${name}.handle`, route.handle.bind(route))
    return [name, { ...route, handle }] as const
  })
  return { ...management, routes: Object.fromEntries(routes) }
}

export function containedEndpoint(endpoint: Endpoint, health: Health): Endpoint {
  const routes = Object.entries(endpoint.routes).map(
    ([name, route]) => [name, containedRoute(name, route, health)] as const,
  )
  return { ...endpoint, routes: Object.fromEntries(routes) }
}

function containedRoute(name: string, route: EndpointRoute, health: Health): EndpointRoute {
  const of = <Arguments extends unknown[], Result>(
    verb: string,
    call: (...given: Arguments) => Result | Promise<Result>,
  ) => limited(health, `${name}.${verb}`, call)
  if (route.kind === 'socket')
    return { ...route, receive: of('receive', route.receive.bind(route)) }
  const { caller } = route
  const known = caller && { caller: of('caller', caller.bind(route)) }
  switch (route.kind) {
    case 'relay':
      return { ...route, ...known, receive: of('receive', route.receive.bind(route)) }
    case 'answer':
      return { ...route, ...known, answer: of('answer', route.answer.bind(route)) }
    case 'stream':
      return { ...route, ...known, open: of('open', route.open.bind(route)) }
  }
}

function limited<Arguments extends unknown[], Result>(
  health: Health,
  verb: string,
  call: (...given: Arguments) => Result | Promise<Result>,
): (...given: Arguments) => Promise<Result> {
  const tally = health.tally(verb, 'reported')
  const options = { tally, limitMs: timeLimits.route, isSound: () => true }
  return (...given) => containedLater(options, () => call(...given))
}
