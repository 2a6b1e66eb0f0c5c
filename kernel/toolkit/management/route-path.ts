/** Paths as the router takes them: without trailing slash, which it strips from requests so that both forms are served. */
export function routePath(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
