/**
 * Builds the console into `dist/public`: hashed files under `assets/`, each with a `.gz` and a `.br` beside it, which
 * the gateway sends as they are.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import vue from '@vitejs/plugin-vue'
import { defineConfig, type Plugin } from 'vite'

/** Smaller files gain nothing. */
const compressedFrom = 1024

/**
 * Few files: each costs a way to the gateway and back. What stands before a login is one, and what many pages share another;
 * what few share is a file of its own.
 */
const groups = [
  { name: 'start', tags: ['$initial'], priority: 3 },
  {
    name: 'table',
    test: /naive-ui.es.data-table/,
    minShareCount: 3,
    includeDependenciesRecursively: false,
    priority: 2,
  },
  { name: 'common', minShareCount: 24, priority: 1 },
  {
    name: 'parts',
    test: /console.api|console.ui.(chart|site-text|tile|card.vue|empty|sparkline|span|days|time|money|copy|use-|usage-)|lucide|naive-ui.es.radio/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
]

export default defineConfig({
  root: folder('.'),
  plugins: [vue(), compressed()],
  resolve: {
    // What the component library brings and is not needed here.
    alias: {
      '@juggle/resize-observer': folder('./shell/library/resize-observer.ts'),
      'async-validator': folder('./shell/library/validator.ts'),
    },
  },
  define: {
    __VUE_OPTIONS_API__: false,
    __VUE_I18N_LEGACY_API__: false,
    __VUE_I18N_FULL_INSTALL__: false,
    __INTLIFY_PROD_DEVTOOLS__: false,
  },
  build: {
    target: 'es2022',
    outDir: folder('../dist/public'),
    emptyOutDir: true,
    // Files inlined as data would need more of the content security policy.
    assetsInlineLimit: 0,
    // Pages that need them load the chart and highlighting libraries; they are what they are.
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: {
      input: [folder('./index.html'), folder('./modules/sign-in/sign-in-page.vue')],
      output: { codeSplitting: { groups } },
    },
  },
  server: { proxy: proxied() },
})

function folder(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** `npx vite console`: pages by Vite, everything else by a gateway at its usual port. */
function proxied() {
  const gateway = 'http://127.0.0.1:3000'
  const plain = Object.fromEntries(['/api', '/pg', '/v1', '/v1beta'].map((path) => [path, gateway]))
  return { ...plain, '/live': { target: gateway, ws: true } }
}

function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir !== undefined) for (const path of filesIn(dir)) compress(path)
    },
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function compress(path: string): void {
  if (!/\.(?:js|css|html|svg|json)$/.test(path)) return
  const bytes = readFileSync(path)
  if (bytes.length < compressedFrom) return
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${path}.br`, brotliCompressSync(bytes))
}
