/*
 * sin, cos and exp with the same bits on every machine. The C library's differ from one
 * library to the next in the last digit, and so would the fields that start from them. These use
 * only + - * / and the bits of a double. Errors are below 0.85 ulp (units in the last place).
 * Special values are those of C (C11, annex F). Who uses them: README.md. Pure; any thread.
 */
#ifndef SS_ELEMENTARY_H
#define SS_ELEMENTARY_H

double ss_sin(double x);
double ss_cos(double x);
double ss_exp(double x);

#endif
