/** What each channel type of the table serves, and at which path. A type that is not named serves chat at `/v1`. */

export type Served = 'chat' | 'embeddings' | 'images' | 'rerank'

const ai360 = 19
const mokaAi = 44
const baidu = 46

const operations: Readonly<Record<number, readonly Served[]>> = {
  [ai360]: ['chat', 'embeddings'],
  [mokaAi]: ['embeddings'],
  [baidu]: ['chat', 'embeddings', 'images', 'rerank'],
}

const chatOnly: readonly Served[] = ['chat']

export function serves(type: number, operation: Served): boolean {
  return (operations[type] ?? chatOnly).includes(operation)
}

const paths: Readonly<Record<Served, string>> = {
  chat: '/chat/completions',
  embeddings: '/embeddings',
  images: '/images/generations',
  rerank: '/rerank',
}

export function pathFor(type: number, operation: Served): string {
  return `${versionOf(type)}${paths[operation]}`
}

export function modelsPathFor(type: number): string {
  return `${versionOf(type)}/models`
}

function versionOf(type: number): string {
  return type === baidu ? '/v2' : '/v1'
}
