/** What most relay endpoints do: a JSON body is read and sent down the line as one operation (FMT-16). */
import type { EndpointRoute, Inbound } from '../../contract/endpoint.js'
import type { FormatName, OperationName } from '../../contract/names.js'
import type { JsonBody } from '../body/body.js'
import { readJson } from '../json/json.js'
import { bearerCredential } from './credential.js'
import { requireJson } from './media-type.js'

/** The body, with its bytes. Throws a `Refusal` where it is declared as something else, or is no proper JSON. */
export function jsonBody({ client, payload }: Pick<Inbound, 'client' | 'payload'>): JsonBody {
  requireJson(client.headers)
  return { kind: 'json', value: readJson(payload), bytes: payload }
}

/** A route that takes JSON and a key in `Authorization`; errors speak the format. */
export function jsonRelay(operation: OperationName, format: FormatName): EndpointRoute {
  return {
    kind: 'relay',
    receive: (inbound) => ({
      operation,
      format,
      body: jsonBody(inbound),
      credential: bearerCredential(inbound.client.headers),
    }),
  }
}
