/** What is wrong with the settings of a channel, in one sentence. */
import { isObject, type JsonObject } from '../../kernel/contract/json.js'

export function faultOf({ deployment_models, token_scope }: JsonObject): string | undefined {
  const scope = typeof token_scope === 'string' ? token_scope.trim() : ''
  if (scope !== '' && !/^[a-z]+:\/\/\S+\/\.default$/.test(scope)) {
    return 'The scope of the token is no address that ends in /.default.'
  }
  const models = isObject(deployment_models) ? deployment_models : {}
  const wrong = Object.keys(models).find((name) => typeof models[name] !== 'string')
  return wrong === undefined ? undefined : `The model of the deployment "${wrong}" is no name.`
}
