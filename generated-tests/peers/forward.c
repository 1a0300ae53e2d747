// Times MuJoCo's forward dynamics: forward MODEL STATES, where each line of STATES has qpos, qvel and ctrl. Contacts, limits, friction and
// equality constraints are switched off. Prints the least time of one evaluation in nanoseconds.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

int main(int count, char** arguments) {
    char error[500] = "";
    mjModel* model = count > 2 ? mj_loadXML(arguments[1], NULL, error, sizeof error) : NULL;
    FILE* file = model ? fopen(arguments[2], "r") : NULL;
    if (!file) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    model->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_EQUALITY | mjDSBL_SENSOR;
    mjData* data = mj_makeData(model);
    const int size = model->nq + model->nv + model->nu;
    double* states = malloc(1000 * size * sizeof *states);
    int read = 0;
    while (read < 1000 * size && fscanf(file, "%lf", states + read) == 1) read++;
    const int lines = read / size;
    double least = 1e300, sum = 0;
    for (int round = 0; round < 201; round++) {
        const int each = 256;
        const double start = now();
        for (int i = 0; i < each; i++) {
            const double* state = states + i % lines * size;
            memcpy(data->qpos, state, model->nq * sizeof *state);
            memcpy(data->qvel, state + model->nq, model->nv * sizeof *state);
            memcpy(data->ctrl, state + model->nq + model->nv, model->nu * sizeof *state);
            mj_forward(model, data);
            sum += data->qacc[0];
        }
        const double taken = (now() - start) / each;
        least = taken < least ? taken : least;
    }
    printf("%g\n", least);
    fprintf(stderr, "%g\n", sum);
    return 0;
}
