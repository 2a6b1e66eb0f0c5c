module.exports = { forbidden: [], options: { exclude: 'kernel' } }
