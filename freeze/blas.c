/* Stands in for OpenBLAS in the frozen folder for Windows, which is 34 MB of kernels for matrices.

   numpy's libraries do not load without these names, and the program multiplies no matrices: samples are added, scaled
   and resampled. Products are computed here plainly (BLAS, levels 1 to 3, as cblas.h has them, with 64-bit integers).
   Linear algebra (LAPACK) is refused: the process ends with a line that says so. */

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

typedef long long integer;
typedef float complex cfloat;
typedef double complex cdouble;

enum { ROW_MAJOR = 101, NO_TRANS = 111, CONJ_TRANS = 113, UPPER = 121 };

#define API __declspec(dllexport)
/* A negative stride counts from the end. */
#define FIRST(n, stride) ((stride) < 0 ? (1 - (n)) * (stride) : 0)

/* `scalar` is how cblas.h passes a number of that type, `VALUE` reads it, `CONJ` conjugates it. */
#define PRODUCTS(x, type, scalar, VALUE, CONJ)                                                                         \
  API void cblas_##x##axpy64_(integer n, scalar alpha, const type *a, integer da, type *b, integer db) {               \
    for (integer i = 0, j = FIRST(n, da), k = FIRST(n, db); i < n; i++, j += da, k += db) b[k] += VALUE(alpha) * a[j]; \
  }                                                                                                                    \
  static type x##dot(integer n, const type *a, integer da, const type *b, integer db, int conjugated) {                \
    type sum = 0;                                                                                                      \
    for (integer i = 0, j = FIRST(n, da), k = FIRST(n, db); i < n; i++, j += da, k += db)                              \
      sum += (conjugated ? CONJ(a[j]) : a[j]) * b[k];                                                                  \
    return sum;                                                                                                        \
  }                                                                                                                    \
  static type x##at(const type *a, integer lda, int order, int trans, integer row, integer column) {                   \
    int turned = (order == ROW_MAJOR) != (trans == NO_TRANS);                                                          \
    type found = turned ? a[row + column * lda] : a[row * lda + column];                                               \
    return trans == CONJ_TRANS ? CONJ(found) : found;                                                                  \
  }                                                                                                                    \
  API void cblas_##x##gemv64_(int order, int trans, integer m, integer n, scalar alpha, const type *a, integer lda,    \
                              const type *v, integer dv, scalar beta, type *y, integer dy) {                           \
    integer rows = trans == NO_TRANS ? m : n, columns = trans == NO_TRANS ? n : m;                                     \
    for (integer i = 0, k = FIRST(rows, dy); i < rows; i++, k += dy) {                                                 \
      type sum = 0;                                                                                                    \
      for (integer j = 0, l = FIRST(columns, dv); j < columns; j++, l += dv)                                           \
        sum += x##at(a, lda, order, trans, i, j) * v[l];                                                               \
      y[k] = VALUE(alpha) * sum + (VALUE(beta) == 0 ? 0 : VALUE(beta) * y[k]);                                         \
    }                                                                                                                  \
  }                                                                                                                    \
  API void cblas_##x##gemm64_(int order, int transa, int transb, integer m, integer n, integer k, scalar alpha,        \
                              const type *a, integer lda, const type *b, integer ldb, scalar beta, type *c,            \
                              integer ldc) {                                                                           \
    for (integer i = 0; i < m; i++)                                                                                    \
      for (integer j = 0; j < n; j++) {                                                                                \
        type sum = 0, *to = order == ROW_MAJOR ? c + i * ldc + j : c + i + j * ldc;                                    \
        for (integer l = 0; l < k; l++)                                                                                \
          sum += x##at(a, lda, order, transa, i, l) * x##at(b, ldb, order, transb, l, j);                              \
        *to = VALUE(alpha) * sum + (VALUE(beta) == 0 ? 0 : VALUE(beta) * *to);                                         \
      }                                                                                                                \
  }                                                                                                                    \
  API void cblas_##x##syrk64_(int order, int uplo, int trans, integer n, integer k, scalar alpha, const type *a,       \
                              integer lda, scalar beta, type *c, integer ldc) {                                        \
    for (integer i = 0; i < n; i++)                                                                                    \
      for (integer j = uplo == UPPER ? i : 0; j < (uplo == UPPER ? n : i + 1); j++) {                                  \
        type sum = 0, *to = order == ROW_MAJOR ? c + i * ldc + j : c + i + j * ldc;                                    \
        for (integer l = 0; l < k; l++)                                                                                \
          sum += trans == NO_TRANS ? x##at(a, lda, order, NO_TRANS, i, l) * x##at(a, lda, order, NO_TRANS, j, l)       \
                                   : x##at(a, lda, order, NO_TRANS, l, i) * x##at(a, lda, order, NO_TRANS, l, j);      \
        *to = VALUE(alpha) * sum + (VALUE(beta) == 0 ? 0 : VALUE(beta) * *to);                                         \
      }                                                                                                                \
  }

#define AS_IT_IS(x) (x)
#define AT_C(x) (*(const cfloat *)(x))
#define AT_Z(x) (*(const cdouble *)(x))
PRODUCTS(s, float, float, AS_IT_IS, AS_IT_IS)
PRODUCTS(d, double, double, AS_IT_IS, AS_IT_IS)
PRODUCTS(c, cfloat, const void *, AT_C, conjf)
PRODUCTS(z, cdouble, const void *, AT_Z, conj)

API float cblas_sdot64_(integer n, const float *a, integer da, const float *b, integer db) {
  return sdot(n, a, da, b, db, 0);
}
API double cblas_ddot64_(integer n, const double *a, integer da, const double *b, integer db) {
  return ddot(n, a, da, b, db, 0);
}
#define COMPLEX_DOT(x, type, kind, conjugated)                                                                         \
  API void cblas_##x##dot##kind##_sub64_(integer n, const type *a, integer da, const type *b, integer db, type *to) {  \
    *to = x##dot(n, a, da, b, db, conjugated);                                                                         \
  }
COMPLEX_DOT(c, cfloat, u, 0)
COMPLEX_DOT(c, cfloat, c, 1)
COMPLEX_DOT(z, cdouble, u, 0)
COMPLEX_DOT(z, cdouble, c, 1)

#define REFUSED(name)                                                                                                  \
  API void name##_64_(void) {                                                                                          \
    fputs("No linear algebra in this folder: " #name "\n", stderr);                                                    \
    exit(3);                                                                                                           \
  }
#define REFUSED_FOR_ALL(x) REFUSED(x##copy) REFUSED(x##gelsd) REFUSED(x##gesdd) REFUSED(x##gesv) REFUSED(x##getrf) REFUSED(x##potrf)
REFUSED_FOR_ALL(s) REFUSED_FOR_ALL(d) REFUSED_FOR_ALL(c) REFUSED_FOR_ALL(z)
REFUSED(sgeev) REFUSED(dgeev) REFUSED(cgeev) REFUSED(zgeev) REFUSED(ssyevd) REFUSED(dsyevd) REFUSED(cheevd) REFUSED(zheevd)
REFUSED(sgeqrf) REFUSED(dgeqrf) REFUSED(cgeqrf) REFUSED(zgeqrf) REFUSED(sorgqr) REFUSED(dorgqr) REFUSED(cungqr) REFUSED(zungqr)
